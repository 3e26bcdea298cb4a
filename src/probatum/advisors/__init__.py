"""Models that read and advise, behind `probatum.core.ports.Advisor`; nothing here decides, and nothing is sent unasked.

`configured` says which model is asked and within what budget, `budget` keeps to it, `openai_api` asks over HTTP,
`recorded` answers again what was answered before, `parallel` asks several at the same time.
"""
