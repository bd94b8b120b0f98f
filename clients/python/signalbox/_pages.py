"""Lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, Set, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list with the exact total."""

    data: List[T]
    total: int
    offset: int
    limit: int


class PagedList(Generic[T]):
    """
    A list: iterating goes through all pages from the asked offset on. A record that moves to the next page because
    another was added is not returned twice.
    """

    def __init__(self, load: Callable[[Optional[int]], Dict[str, Any]]) -> None:
        self._load = load

    def page(self, offset: Optional[int] = None) -> Page[T]:
        """One page, default the asked one."""
        reply = self._load(offset)
        return Page(reply["data"], **reply["pagination"])

    def pages(self) -> Iterator[Page[T]]:
        """Every page, one after the other."""
        page = self.page()
        yield page
        while page.data and page.offset + len(page.data) < page.total:
            page = self.page(page.offset + len(page.data))
            yield page

    def __iter__(self) -> Iterator[T]:
        earlier: Set[Any] = set()
        for page in self.pages():
            ids = [item.get("id") if isinstance(item, dict) else None for item in page.data]
            for item_id, item in zip(ids, page.data):
                if item_id is None or item_id not in earlier:
                    yield item
            earlier = {item_id for item_id in ids if item_id is not None}
