"""Every annotation of the generated modules can be resolved."""

import typing
import unittest

import signalbox.client
import signalbox.types


def classes(module):
    return [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__]


class TypesTest(unittest.TestCase):
    def test_records_name_types_that_exist(self):
        records = classes(signalbox.types)
        self.assertGreater(len(records), 200)
        for record in records:
            typing.get_type_hints(record)

    def test_methods_name_types_that_exist(self):
        methods = [each for api in classes(signalbox.client) for each in vars(api).values() if callable(each)]
        self.assertGreater(len(methods), 300)
        for method in methods:
            typing.get_type_hints(method)


if __name__ == "__main__":
    unittest.main()
