# title: A copy that shares its lists
# topic: dicts
# shows: dict.copy copies the keys and not the lists behind them: a new key shows in one dict, a
#   new element in both.


def plan_week(template):
    week = template.copy()
    for day in week:
        week[day].append("stretch")
    week["sun"] = ["rest"]
    return week


def main():
    template = {"mon": ["swim"], "tue": []}
    week = plan_week(template)
    week["tue"] = ["bike"]
    week["mon"].remove("swim")
    return template, week, week["mon"] is template["mon"]
