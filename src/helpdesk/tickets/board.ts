import { type Static, Type } from 'typebox'
import type { Env } from '../../platform/access/env.ts'
import { method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'

const STAGES_MAX = 50
const CARDS_DEFAULT = 50
const CARDS_MAX = 200
/** Counted up to here, and shown as "1,000+" beyond. */
const COUNT_MAX = 1_001
const FIELDS = [
  ...['name', 'stage_id', 'team_id', 'user_id', 'partner_id', 'partner_name', 'partner_phone', 'priority'],
  ...['create_date', 'write_date', 'closed_at', 'connect_calls_count'],
]

const Args = Type.Object({
  team: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  domain: Type.Optional(Type.Array(Type.Unknown())),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CARDS_MAX, description: 'Tickets of each stage.' })),
})
const Reply = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    fold: Type.Boolean(),
    count: Type.Integer(),
    rows: Type.Array(Type.Object({ id: Type.Integer() }, { additionalProperties: true })),
  }),
)

/** The stages of a team, or all of them, each with its first tickets and how many there are. */
export const board = method({
  label: 'Board',
  operation: 'read',
  args: Args,
  reply: Reply,
  run: (env, _ids, args) => readBoard(env, args),
})

async function readBoard(env: Env, args: Static<typeof Args>): Promise<Static<typeof Reply>> {
  const { team, domain = [], limit = CARDS_DEFAULT } = args
  const ofTeam = typeof team === 'number' ? ['|', ['team_ids', '=', null], ['team_ids', 'in', [team]]] : []
  const stages = await records(env, 'helpdesk.stage').searchRead(ofTeam, ['name', 'fold'], {
    order: 'sequence, id',
    limit: STAGES_MAX,
  })
  const tickets = records(env, 'helpdesk.ticket')
  const found: Static<typeof Reply> = []
  // Two queries for each of a few stages, each read from its index: one for all of them would sort every ticket.
  for (const { id, name, fold } of stages) {
    const within = [
      ...domain,
      ['active', '=', true],
      ['stage_id', '=', id],
      ...(typeof team === 'number' ? [['team_id', '=', team]] : []),
    ]
    const rows = await tickets.searchRead(within, FIELDS, { limit, order: 'board_rank' })
    const count = rows.length < limit ? rows.length : await tickets.searchCount(within, COUNT_MAX)
    found.push({ id, name: String(name), fold: fold === true, count, rows })
  }
  return found
}
