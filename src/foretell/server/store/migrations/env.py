"""Run by Alembic: the connection comes from `foretell.server.store.migrations.upgrade`."""

from alembic import context

from foretell.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a column in place
)
with context.begin_transaction():
    context.run_migrations()
