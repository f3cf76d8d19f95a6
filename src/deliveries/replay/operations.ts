import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { type ComparisonParts, compareDelivery } from './compare.ts'
import { findReplayable, type ReplayParts, replayDeliveries } from './replay.ts'

const Answered = Type.Object({ verdict: Type.String(), status: Type.Integer(), body: Type.String() })
const Nullable = Type.Union([Type.Integer(), Type.Null()])

/** `connect.delivery/compare {ids}` and `connect.delivery/replay {ids}`, for administrators. */
export function replayOperations(parts: ComparisonParts & ReplayParts): Operations {
  return {
    'connect.delivery': {
      compare: outsideMethod({
        label: 'Compare with now',
        operation: 'read',
        groups: [GROUP.connectAdmin],
        reply: Type.Object({
          // biome-ignore lint/suspicious/noThenProperty: a name on the wire, of a plain object
          then: Answered,
          now: Answered,
          is_same: Type.Boolean(),
        }),
        async runOutside(_open, ids) {
          const [id, ...others] = ids
          if (id === undefined || others.length > 0) {
            throw new Refusal('refused', 'api-one-delivery-compared')
          }
          return compareDelivery(parts, id)
        },
      }),
      replay: outsideMethod({
        label: 'Replay',
        operation: 'read',
        groups: [GROUP.connectAdmin],
        isAudited: true,
        reply: Type.Array(
          Type.Object({
            id: Type.Integer(),
            is_replayed: Type.Boolean(),
            call: Nullable,
            sentence: Type.Union([Type.String(), Type.Null()]),
          }),
        ),
        runOutside: (open, ids) => replayDeliveries(parts, open, ids),
      }),
      replayable: outsideMethod({
        label: 'Can be replayed',
        operation: 'read',
        groups: [GROUP.connectAdmin],
        reply: Type.Array(Type.Integer()),
        runOutside: (open, ids) => findReplayable(parts, open, ids),
      }),
    },
  }
}
