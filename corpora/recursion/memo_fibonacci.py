# title: Fibonacci with a memo
# topic: recursion
# shows: The second recursive call finds its answer in the memo and returns at once: the call
#   tree is a line, not a tree. A model that replays the plain recursion predicts calls in vain.


def fib(n, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


def main():
    memo = {}
    result = fib(7, memo)
    return result, list(memo)
