"""The classes of all commands: they refuse options given twice, arguments too many, and names that do not exist."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand, TyperGroup

from pathfront.cli.errors import UsageError
from pathfront.wording import hint, shown


class Command(TyperCommand):
    """A command whose options are given once, unless they are lists: of two values the last would win in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Check the arguments as a whole, then let Typer convert each."""
        if not {"--help", "-h"} & set(args):
            _, extra, order = self.make_parser(ctx).parse_args(list(args))
            self._require_once(ctx, order)
            if extra:
                known = [p.metavar or str(p.name).upper() for p in self.params if p.param_type_name == "argument"]
                takes = ", ".join(known) or "options only"
                raise UsageError(f"{shown(extra[0])} is one argument too many; {self.name} takes {takes}", ctx=ctx)
        return super().parse_args(ctx, args)

    def _require_once(self, ctx: Any, order: list[Any]) -> None:
        for param, count in Counter(order).items():
            if param.param_type_name != "option" or param.multiple or count == 1:
                continue
            if param.secondary_opts or not param.is_flag:
                names = "/".join([param.opts[0], *param.secondary_opts])
                raise UsageError(f"{names} is given more than once; give it once", ctx=ctx)


class Group(TyperGroup):
    """A group of commands that proposes the one that was probably meant."""

    kind = "command"

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Refuse a command that does not exist."""
        name = args[0]
        if self.get_command(ctx, name) is None:
            raise UsageError(f"no such {self.kind} {shown(name)}{hint(name, self.list_commands(ctx))}", ctx=ctx)
        return super().resolve_command(ctx, args)
