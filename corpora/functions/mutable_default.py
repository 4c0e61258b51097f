# title: A default that remembers
# topic: functions
# shows: A default value is made once, when `def` runs, and is shared by all calls that leave the
#   argument out. A fresh list per call is what the text suggests and not what happens.


def enrol(student, course=[]):
    course.append(student)
    return course


def enrol_safely(student, course=None):
    if course is None:
        course = []
    course.append(student)
    return course


def main():
    first = enrol("Ada")
    own = enrol("Grace", ["Linus"])
    second = enrol("Alan")
    safe = [enrol_safely("Ada"), enrol_safely("Alan")]
    return first, own, second is first, safe
