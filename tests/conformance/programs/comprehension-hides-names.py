# While a comprehension runs at module level the locals are its variables alone.
before = 1
numbers = [n for n in range(2)]
