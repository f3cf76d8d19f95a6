-- Posts that name the provider's address of what came with their message name ours instead.
DO $$
BEGIN
  FOR n IN 0..9 LOOP
    UPDATE mail_message p
      SET body = replace(p.body, m.address, '/connect/message/' || m.id || '/media/' || n)
      FROM (
        SELECT id, replace(coalesce(media -> n ->> 'url', CASE WHEN media IS NULL AND n = 0 THEN media_url END), '&', '&amp;') AS address
        FROM connect_message WHERE direction = 'incoming'
      ) m
      WHERE p.connect_message = m.id AND m.address <> '' AND position(m.address IN p.body) > 0;
  END LOOP;
END
$$;
