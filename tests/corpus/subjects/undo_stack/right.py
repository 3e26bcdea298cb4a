"""A text field with undo and redo."""


class Editor:
    """Text that grows at its end; steps can be taken back and done again.

    >>> editor = Editor()
    >>> editor.type("Hello")
    'Hello'
    >>> editor.type(" world")
    'Hello world'
    >>> editor.undo()
    'Hello'
    >>> editor.undo()
    ''
    >>> editor.undo()
    ''
    >>> editor.redo()
    'Hello'
    >>> editor.redo()
    'Hello world'
    >>> editor.redo()
    'Hello world'
    >>> editor.undo()
    'Hello'
    >>> editor.type("!")
    'Hello!'
    >>> editor.redo()
    'Hello!'
    >>> editor.undo()
    'Hello'
    """

    def __init__(self) -> None:
        self._text = ""
        self._done: list[str] = []
        self._undone: list[str] = []

    def type(self, text: str) -> str:
        """Add text; what was taken back before is given up. Return the whole text, as the other methods do."""
        self._done.append(self._text)
        self._undone.clear()
        self._text += text
        return self._text

    def undo(self) -> str:
        """Take back one step, if there is one."""
        if self._done:
            self._undone.append(self._text)
            self._text = self._done.pop()
        return self._text

    def redo(self) -> str:
        """Do again the step that was taken back last, if there is one."""
        if self._undone:
            self._done.append(self._text)
            self._text = self._undone.pop()
        return self._text
