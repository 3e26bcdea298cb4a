from datetime import date, timedelta


def add_working_days(start, days):
    day = date.fromisoformat(start)
    while days > 0:
        day += timedelta(days=1)
        if day.weekday() < 5:
            days -= 1
    return day.isoformat()
