import { rightsOf } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { Models } from '../platform/model/declaration.ts'
import { extend } from '../platform/model/extend.ts'
import type { Model, Operations } from '../platform/model/model.ts'
import { withWriters } from '../platform/model/writers.ts'
import { AREAS, writersOf } from './areas.ts'
import type { Parts } from './parts.ts'
import { settingsModel } from './settings.ts'

const SETTINGS_RIGHTS = { ...rightsOf('-', 'rwc', '-', '-'), [GROUP.manager]: 'rw' }

/** Every model of the service, area by area, with what other areas add to it: the registry that models are looked up in. */
export function createModels(): Models {
  const declared = AREAS.flatMap(({ models = [] }) => models)
  return new Models([
    { ...settingsModel, access: SETTINGS_RIGHTS },
    ...declared.map(([model, access]) => ({ ...completed(model), access })),
  ])
}

/** The same with every method, for those who describe models and call nothing. */
export function describedModels(): Models {
  const parts = { config: { telcoBaseUrl: undefined, voiceaiBaseUrl: '' } } as unknown as Parts
  return addMethods(createModels(), operationsOf(parts))
}

/** Every method that needs more than the database: they are made from parts that know the models. */
export function operationsOf(parts: Parts): Operations[] {
  return AREAS.flatMap(({ operations }) => operations?.(parts) ?? [])
}

export function addMethods(models: Models, operations: readonly Operations[]): Models {
  for (const [name, methods] of operations.flatMap((each) => Object.entries(each))) {
    models.replace(extend(models.get(name), { methods }))
  }
  return models
}

function completed(model: Model): Model {
  const extended = extend(
    model,
    ...AREAS.flatMap(({ extensions }) => extensions?.[model.name] ?? []),
    ...AREAS.flatMap(({ resources }) => resources?.flatMap((each) => each.queuedBy(model.name)) ?? []),
  )
  const writers = writersOf(model.name)
  return writers === undefined ? extended : withWriters(extended, writers)
}
