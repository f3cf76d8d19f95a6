import { Type } from 'typebox'
import type { Env } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { type Method, method } from '../platform/model/model.ts'

/** A button of the synchronisation, for administrators. */
export function syncButton(label: string, run: (env: Env) => Promise<unknown>): Method {
  return method({ label, operation: 'write', groups: [GROUP.connectAdmin], args: Type.Object({}), run })
}
