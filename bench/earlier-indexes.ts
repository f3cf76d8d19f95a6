/**
 * The bare loop is the unit of the ratios: it stays what it was before deliveries were worked on together, with the statements and
 * with the indexes of then. These are the ones that migration 0033 made smaller since.
 */
const MADE_SMALLER: readonly (readonly [table: string, column: string])[] = [
  ['helpdesk_ticket', 'phone_normalized'],
  ['helpdesk_ticket', 'made_in_call'],
  ['connect_call', 'parent_call'],
  ['connect_call', 'voiceai_agent'],
  ['connect_call', 'ticket'],
  ['connect_channel', 'parent_sid'],
  ['connect_channel', 'parent_channel'],
  ['connect_channel', 'caller_user'],
  ['connect_channel', 'called_user'],
  ['connect_message', 'sender_user'],
  ['connect_delivery', 'conversation'],
  ['connect_delivery', 'call_sid'],
]
/** And what migration 0035 took from tables that the loop writes: an index of all rows, and the check of a link. */
const SINCE = [
  'drop index connect_delivery_call_ref_id_index',
  'create index connect_delivery_call_ref_id_index on connect_delivery (call_ref, id)',
  `alter table mail_message add constraint mail_message_author_id_fkey
    foreign key (author_id) references res_partner (id) on delete set null`,
]
/** Tables whose pages have had room for changes of their rows since. */
const WITH_ROOM = ['connect_call', 'connect_tool_answer']

/** Gives a database of the current schema the indexes that it had then. */
export const EARLIER_INDEXES = [
  ...MADE_SMALLER.flatMap(([table, column]) => [
    `drop index ${table}_${column}_index`,
    `create index ${table}_${column}_index on ${table} (${column})`,
  ]),
  ...SINCE,
  ...WITH_ROOM.map((table) => `alter table ${table} reset (fillfactor)`),
].join(';\n')
