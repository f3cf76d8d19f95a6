import { Type } from 'typebox'
import { method } from '../../platform/model/model.ts'
import { credentialsProblem } from '../sync/readiness.ts'

/** Said before somebody writes what would only be refused. */
export const sendingObstacle = method({
  label: 'What keeps messages from being sent',
  operation: 'read',
  args: Type.Object({}),
  reply: Type.Object({
    obstacle: Type.Union([Type.String(), Type.Null()], {
      description: 'The sentence with which `send` refuses every message; null when it would not.',
    }),
  }),
  run: async (env) => ({ obstacle: credentialsProblem(env.settings) ?? null }),
})
