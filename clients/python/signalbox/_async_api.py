"""What the methods of every family of the asynchronous client call."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Optional, TypeVar

import anyio.to_thread

from ._api import OMIT, given
from ._async_streams import AsyncChunkStream, AsyncDownload, AsyncEventStream
from ._async_transport import AsyncTransport
from ._pages import Page, next_step, page_of, steps_of
from ._transport import CallOptions, form, prepare

T = TypeVar("T")


class AsyncPagedList(Generic[T]):
    """
    A list: `async for` goes through all pages from the asked offset on. Every record that is in the list from the start
    to the end of the loop is returned once, whatever is added or deleted meanwhile. A record without an id may be
    returned again: one that changes, or that equals the one before it in a list that others are added to.
    """

    def __init__(self, load: Callable[[Dict[str, int]], Awaitable[Dict[str, Any]]]) -> None:
        self._load = load

    async def page(self, offset: Optional[int] = None) -> Page[T]:
        """One page, default the asked one."""
        return page_of(await self._load({} if offset is None else {"offset": offset}))

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Every page, one after the other, without the records of earlier ones."""
        steps = steps_of(await self.page())
        step = next_step(steps)
        while step is not None:
            if isinstance(step, Page):
                yield step
                step = next_step(steps)
            else:
                step = next_step(steps, page_of(await self._load(step)))

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.data:
                yield item


class AsyncApi:
    """The methods of one family."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _data(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions], whole: Optional[str] = None) -> Any:
        return (await self._transport.json(prepare(route, given(fields), options, whole)))["data"]

    async def _plain(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> Any:
        return await self._transport.json(prepare(route, given(fields), options))

    def _list(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> AsyncPagedList[Any]:
        asked = given(fields)

        async def load(part: Dict[str, int]) -> Dict[str, Any]:
            page: Dict[str, Any] = await self._transport.json(prepare(route, {**asked, **part}, options))
            return page

        return AsyncPagedList(load)

    def _events(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> AsyncEventStream[Any]:
        return AsyncEventStream(self._transport, prepare(route, given(fields), options))

    def _chunks(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> AsyncChunkStream[Any]:
        return AsyncChunkStream(self._transport, prepare(route, given(fields), options))

    async def _download(self, route: str, fields: Dict[str, Any], options: Optional[CallOptions]) -> AsyncDownload:
        return AsyncDownload(await self._transport.open(prepare(route, given(fields), options)))

    async def _form(self, route: str, fields: Dict[str, Any], file: Any, options: Optional[CallOptions]) -> Any:
        if file is OMIT:
            return await self._data(route, fields, options)
        content = file if isinstance(file, (str, bytes)) else await anyio.to_thread.run_sync(file.read)
        call = prepare(route, given(fields), options)
        call.headers["Content-Type"], call.body = form(json.loads(call.body), content)
        return (await self._transport.json(call))["data"]

    async def _upload(
        self, route: str, fields: Dict[str, Any], file: Any, media_type: str, options: Optional[CallOptions]
    ) -> Any:
        call = prepare(route, given(fields), options)
        call.headers["Content-Type"] = media_type
        call.body = file.encode() if isinstance(file, str) else file
        return (await self._transport.json(call))["data"]
