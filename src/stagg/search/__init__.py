"""Search by several retrievers at once, and fusion of the documents that they return.

- ``documents``: Fuse lists of documents of any class by id: each document is kept, with what every leg said of it
- ``retrieve``: Search several legs at the same time: each has a timeout, and one that fails does not fail the others
- ``fields``: Fields of a document of any class: id, score, metadata; and options given for all legs or by leg
"""
