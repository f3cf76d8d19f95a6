import type { Transaction } from './database.ts'

/** A row that was written while somebody watched; null before it was there, and after it is gone. */
export interface NotedWrite {
  /** The whole one, where it is cut into months. */
  table: string
  from: Record<string, unknown> | null
  to: Record<string, unknown> | null
}

/**
 * Gives each table that has none the trigger which notes what is written to it. It does so only in a transaction that asks
 * for it: in any other, the condition is all that is looked at.
 */
export const NOTED_WRITES = `create or replace function connect_note_write() returns trigger language plpgsql as $note$ begin
  perform set_config('connect.writes', current_setting('connect.writes') || json_build_object(
    'table', coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = tg_relid), tg_table_name),
    'from', to_jsonb(old), 'to', to_jsonb(new))::text || chr(10), true);
  return null;
end $note$;
do $each$ declare each record; begin
  for each in select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'connect_note_write')
  loop
    execute format('create trigger connect_note_write after insert or update or delete on %s for each row
      when (current_setting(''connect.notes_writes'', true) = ''on'') execute function connect_note_write()', each.name);
  end loop;
end $each$`

/** Has everything that is written from here on in this transaction noted. */
export async function noteWrites(tx: Transaction): Promise<void> {
  await tx.execute(`select set_config('connect.notes_writes', 'on', true), set_config('connect.writes', '', true)`, [])
}

/** What was written since, in order; a part that was rolled back to a savepoint is not among it. */
export async function notedWrites(tx: Transaction): Promise<NotedWrite[]> {
  const { rows } = await tx.execute(`select current_setting('connect.writes') as writes`, [])
  return String(rows[0]?.writes ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NotedWrite)
}
