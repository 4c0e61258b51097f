# An exception leaves the module itself.
values = {"a": 1}
first = values["a"]
second = values["b"]
third = 3
