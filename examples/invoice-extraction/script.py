# Reads an invoice out of plain text and checks its arithmetic. What does not add up goes back to the model, twice at most.
import json
from decimal import Decimal

ROUNDS = 3

INVOICE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["invoice_number", "issued", "currency", "lines", "tax", "total"],
    "properties": {
        "invoice_number": {"type": "string", "maxLength": 60},
        "issued": {"type": "string", "description": "YYYY-MM-DD"},
        "currency": {"enum": ["EUR", "USD", "GBP", "CHF"]},
        "lines": {
            "type": "array",
            "minItems": 1,
            "maxItems": 200,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["description", "quantity", "unit_price", "amount"],
                "properties": {
                    "description": {"type": "string", "maxLength": 300},
                    "quantity": {"type": "number"},
                    "unit_price": {"type": "number"},
                    "amount": {"type": "number"},
                },
            },
        },
        "tax": {"type": "number"},
        "total": {"type": "number"},
    },
}

SYSTEM = "Extract the invoice from the text of the user. Copy every number as it is written and invent none."


def execute(ctx):
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ctx.input["text"]}]
    for attempt in range(1, ROUNDS + 1):
        answer = extract(ctx, messages)
        invoice = json.loads(answer)
        problems = problems_of(invoice)
        ctx.log("info", f"attempt {attempt}: {len(problems)} problems")
        if not problems:
            break
        correction = "Read the text again. These do not fit:\n" + "\n".join(problems)
        messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": correction}]
    return {"invoice": invoice, "valid": not problems, "problems": problems, "attempts": attempt}


def extract(ctx, messages):
    schema = {"name": "invoice", "schema": INVOICE, "strict": True}
    request = {
        "temperature": 0,
        "messages": messages,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    if "model" in ctx.params:
        request["model"] = ctx.params["model"]
    return ctx.chat.completions.create(request)["choices"][0]["message"]["content"]


def problems_of(invoice):
    found = []
    for number, line in enumerate(invoice["lines"], start=1):
        expected = money(line["quantity"]) * money(line["unit_price"])
        if differ(expected, money(line["amount"])):
            found.append(f"line {number}: quantity times unit price is {expected}, the amount is {line['amount']}")
    expected = sum((money(line["amount"]) for line in invoice["lines"]), money(invoice["tax"]))
    if differ(expected, money(invoice["total"])):
        found.append(f"lines and tax add up to {expected}, the total is {invoice['total']}")
    return found


def money(value):
    return Decimal(str(value))


def differ(one, other):
    return abs(one - other) >= Decimal("0.01")
