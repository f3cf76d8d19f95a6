// What methods say they answer is what the API document and the page go by.
import { expect, it } from 'vitest'
import { createModels } from '../../../src/app/models.ts'
import { requireDeclared } from '../../support/declared-answers.ts'

it('a method that answers something else than it declares is found wherever tests ask', () => {
  const models = createModels()
  requireDeclared(models, 'connect.settings', 'telco_sync', { run_id: 7 })
  expect(() => requireDeclared(models, 'connect.settings', 'telco_sync', { run: 7 })).toThrow(
    'connect.settings/telco_sync answers something else than it declares',
  )
})
