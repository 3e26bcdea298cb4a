"""The members page on a database: who registered last."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]


# "Return users sorted by registration date, newest first"
def get_recent_users(db) -> list[User]:
    return db.query(User).order_by(User.created_at.desc()).all()
