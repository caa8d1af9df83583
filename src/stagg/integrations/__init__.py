"""Adapters to other tools, each behind an extra of its own: ``from stagg.integrations.ranx import fuse``.

Nothing is imported here: a module brings in its package where it is needed, or says which extra to install.

- ``frames``: pandas and Polars frames in and out, by the names of their columns
- ``langchain``: LangChain: a retriever that fuses retrievers, and the same on lists of documents
- ``llamaindex``: LlamaIndex: a retriever that fuses retrievers, weights obeyed
- ``haystack``: Haystack: a component that fuses lists of documents, in the place of DocumentJoiner
- ``lancedb``: LanceDB: a reranker that fuses vector search and full-text search by any method
- ``mteb``: MTEB: any method as the fusion of its HybridSearch
- ``pyterrier``: PyTerrier: a transformer that fuses pipelines; ranks count from 0 there
- ``ranx``: ranx: Run in, Run out
- ``ir_measures``: ir_measures: check our measures against trec_eval, gdeval, MS MARCO's script and others
- ``sklearn``: scikit-learn: supervised St.Agg as an estimator, for those who bring their own features
"""
