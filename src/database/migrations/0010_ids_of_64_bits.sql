-- Ids and what holds one get 64 bits in databases that were made before; newer ones have them from the beginning. Each table
-- once, because every such statement writes a table anew. The end of an identity column's sequence moves with its type.
DO $$
DECLARE
	each record;
BEGIN
	FOR each IN
		SELECT c.table_name, string_agg(format('ALTER COLUMN %I SET DATA TYPE bigint', c.column_name), ', ') AS changes
		FROM information_schema.columns c
		WHERE c.table_schema = 'public' AND c.data_type = 'integer'
			AND (
				c.column_name = 'id'
				OR (c.table_name, c.column_name) IN (
					('mail_message', 'res_id'), ('mail_message', 'connect_message'), ('connect_call', 'register_note'),
					('connect_call', 'missed_note'), ('connect_message', 'res_id'), ('connect_delivery', 'call_ref'),
					('connect_telco_exten', 'res_id')
				)
				OR EXISTS (
					SELECT 1 FROM pg_constraint f
					JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
					WHERE f.contype = 'f' AND f.conrelid = to_regclass(format('public.%I', c.table_name)) AND a.attname = c.column_name
				)
			)
		GROUP BY c.table_name
	LOOP
		EXECUTE format('ALTER TABLE %I %s', each.table_name, each.changes);
	END LOOP;
END $$;
