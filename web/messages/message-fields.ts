export const MESSAGE_FIELDS = [
  'from_number',
  'to_number',
  'body',
  'message_type',
  'status',
  'direction',
  'partner',
  'create_date',
  'num_media',
  'error_code',
  'error_message',
  'waits_for',
] as const
