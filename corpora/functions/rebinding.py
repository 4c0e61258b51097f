# title: Rebinding is not mutation
# topic: functions
# shows: A parameter is a new name for the caller's object: a method changes what the caller
#   sees, an assignment doesn't, and `+=` on a list does although it looks like one.


def replace(scores):
    scores = scores + [100]
    return len(scores)


def extend(scores):
    scores += [100]
    return len(scores)


def bump(score):
    score += 100
    return score


def main():
    scores = [1, 2]
    alias = scores
    after_replace = replace(scores), list(scores)
    after_extend = extend(scores), list(alias)
    bumped = bump(scores[0])
    return after_replace, after_extend, bumped, scores[0]
