from datetime import date, timedelta


def add_working_days(start, days):
    day = date.fromisoformat(start)
    while days > 0:
        day += timedelta(days=1)
        days -= 1
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return day.isoformat()
