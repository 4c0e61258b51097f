//! Closes the ways by which a program could reach what records it.
//!
//! A frame's `f_trace` is the hook itself: who holds it could forge events, and who takes it away
//! would run unseen. And a module that was removed from `sys.modules` would come back as the
//! interpreter has it: a real `gc` finds the hook, a real `time` tells the machine's time.

use rustpython_vm::builtins::{PyDictRef, PyStrRef, PyType};
use rustpython_vm::function::{FuncArgs, PySetterValue};
use rustpython_vm::{Py, PyObjectRef, PyResult, VirtualMachine};

/// Closes them; the modules that are imported by now stay what they are.
pub fn close(vm: &VirtualMachine) -> PyResult<()> {
    hide_the_hook(vm);
    keep_modules(vm)
}

/// Makes frames say that nobody traces them, and take in silence what would change that.
fn hide_the_hook(vm: &VirtualMachine) {
    let class: &'static Py<PyType> = vm.ctx.types.frame_type;
    let ignore = |_: PyObjectRef, _: PySetterValue| {};
    let nobody = |_: PyObjectRef, vm: &VirtualMachine| vm.ctx.none();
    let of = &vm.ctx;
    for (name, attribute) in [
        ("f_trace", of.new_static_getset("f_trace", class, nobody, ignore)),
        (
            "f_trace_lines",
            of.new_static_getset("f_trace_lines", class, |_: PyObjectRef| true, ignore),
        ),
        (
            "f_trace_opcodes",
            of.new_static_getset("f_trace_opcodes", class, |_: PyObjectRef| false, ignore),
        ),
    ] {
        class.set_attr(of.intern_str(name), attribute.into());
    }
}

/// Makes the import of a module that was removed give the same module again; one that programs may
/// not have stays away.
fn keep_modules(vm: &VirtualMachine) -> PyResult<()> {
    let importer = vm.import("_imp", 0)?;
    let create = importer.get_attr("create_builtin", vm)?;
    let modules = vm.sys_module.get_attr("modules", vm)?;
    let known: PyDictRef = vm.call_method(&modules, "copy", ())?.try_into_value(vm)?;
    let keeper = vm.new_function("create_builtin", move |args: FuncArgs, vm: &VirtualMachine| {
        let Some(spec) = args.args.first() else { return create.call(args, vm) };
        let name: PyStrRef = spec.get_attr("name", vm)?.try_into_value(vm)?;
        match known.get_item_opt(&*name, vm)? {
            Some(module) if vm.is_none(&module) => {
                let missing = vm.ctx.exceptions.module_not_found_error.to_owned();
                Err(vm.new_exception_msg(missing, format!("No module named '{name}'").into()))
            }
            Some(module) => {
                vm.sys_module.get_attr("modules", vm)?.set_item(&*name, module.clone(), vm)?;
                Ok(module)
            }
            None => create.call(args, vm),
        }
    });
    importer.set_attr("create_builtin", keeper, vm)
}
