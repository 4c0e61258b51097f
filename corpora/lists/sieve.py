# title: The sieve of Eratosthenes
# topic: lists
# shows: A list of flags is struck out by steps that start at the square; the inner loop is
#   entered for primes only. Which passes happen depends on what earlier passes wrote.


def primes_below(limit):
    is_prime = [True] * limit
    is_prime[0] = is_prime[1] = False
    for n in range(2, limit):
        if is_prime[n]:
            for multiple in range(n * n, limit, n):
                is_prime[multiple] = False
    return [n for n in range(limit) if is_prime[n]]


def main():
    return primes_below(20)
