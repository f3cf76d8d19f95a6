import { Type } from 'typebox'
import { GROUP } from '../../platform/access/identity.ts'
import { type Method, method } from '../../platform/model/model.ts'
import { requestRun, type TelcoRunKind } from './run-request.ts'

/** The button that starts a run, for administrators; answers `{run_id}`. */
export function syncButton(kind: TelcoRunKind, label: string): Method {
  return method({
    label,
    operation: 'write',
    groups: [GROUP.connectAdmin],
    args: Type.Object({}),
    run: (env) => requestRun(env, kind),
  })
}
