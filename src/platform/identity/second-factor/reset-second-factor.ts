import { Type } from 'typebox'
import { GROUP } from '../../access/identity.ts'
import { method } from '../../model/model.ts'
import { removeFactors } from './second-factor.ts'

/** `res.users/reset_second_factor {ids}` lets people in by password alone who have lost authenticator and recovery codes. */
export const resetSecondFactor = method({
  label: 'Reset two-factor sign-in',
  operation: 'write',
  groups: [GROUP.manager],
  reply: Type.Object({ reset: Type.Integer() }),
  run: async (env, ids) => ({ reset: await removeFactors(env, ids) }),
})
