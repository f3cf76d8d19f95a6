drop function if exists connect_note_write() cascade;
