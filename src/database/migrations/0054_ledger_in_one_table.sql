drop function if exists connect_recent_id();
