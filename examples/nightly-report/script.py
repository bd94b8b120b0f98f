# Sums up the orders of a day, and stores a report and a table as artifacts of the run. `orders.csv` is an artifact of
# the workflow; a nightly job replaces it and then executes the workflow.
import csv
import io
import statistics
from collections import defaultdict
from decimal import Decimal


def execute(ctx):
    day = ctx.input["day"]
    orders = orders_of(ctx, day)
    if not orders:
        raise ValueError(f"orders.csv has no orders of {day}")
    regions = by_region(orders)
    table = table_of(regions)
    # Kept: a run that lost its worker does not pay for the text again.
    comment = ctx.step("comment", lambda: comment_on(ctx, day, table))
    report = report_of(day, orders, table, comment)
    written = ctx.artifacts.put(f"reports/{day}.md", report, content_type="text/markdown")
    ctx.artifacts.put(f"reports/{day}.csv", table, content_type="text/csv")
    ctx.log("info", f"{len(orders)} orders of {day} are in {written['key']}")
    revenue = sum((order["amount"] for order in orders), Decimal(0))
    return {"day": day, "orders": len(orders), "revenue": str(revenue), "report_artifact_id": written["id"]}


def orders_of(ctx, day):
    stored = ctx.artifacts.get("orders.csv")
    if stored is None:
        raise FileNotFoundError("the workflow has no artifact orders.csv")
    rows = csv.DictReader(io.StringIO(stored["text"]))
    return [{**row, "amount": Decimal(row["amount"])} for row in rows if row["day"] == day]


def by_region(orders):
    regions = defaultdict(list)
    for order in orders:
        regions[order["region"]].append(order["amount"])
    return dict(sorted(regions.items()))


def table_of(regions):
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["region", "orders", "revenue", "median"])
    for region, amounts in regions.items():
        table.writerow([region, len(amounts), sum(amounts), statistics.median(amounts)])
    return out.getvalue()


def comment_on(ctx, day, table):
    request = {
        "messages": [
            {"role": "system", "content": "Say in two sentences what is remarkable about this table. Invent no number."},
            {"role": "user", "content": table},
        ]
    }
    if "model" in ctx.params:
        request["model"] = ctx.params["model"]
    return ctx.chat.completions.create(request)["choices"][0]["message"]["content"]


def report_of(day, orders, table, comment):
    largest = max(orders, key=lambda order: order["amount"])
    lines = [
        f"# Orders of {day}",
        "",
        comment,
        "",
        f"Largest order: {largest['order_id']} ({largest['amount']}, {largest['region']}).",
        "",
        "```csv",
        table.rstrip(),
        "```",
        "",
    ]
    return "\n".join(lines)
