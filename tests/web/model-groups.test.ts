// The kinds of records stand in groups; each has one that says what it is about.
import { expect, it } from 'vitest'
import { addMethods, createModels } from '../../src/app/models.ts'
import { telcoOperations } from '../../src/telco/described-routes.ts'
import { phoneDirectory } from '../../src/telco/routing/phone-directory.ts'
import { inGroups } from '../../web/records/model-groups.ts'

const models = [...addMethods(createModels(), [telcoOperations({ client: {} as never, directory: phoneDirectory })])]

it('every kind of record stands in one group, where one looks for it', () => {
  const groups = inGroups(models)
  expect(groups.flatMap(({ kinds }) => kinds)).toHaveLength(models.length)
  const groupOf = (name: string) => groups.find(({ kinds }) => kinds.some((kind) => kind.name === name))?.group
  expect(groupOf('res.partner')).toBe('group_people')
  expect(groupOf('connect.call')).toBe('group_calls')
  expect(groupOf('connect.voiceai_agent')).toBe('group_agents')
  expect(groupOf('connect.user')).toBe('group_telephony')
  expect(groupOf('res.users.session')).toBe('group_access')
  expect(groupOf('connect.inbox')).toBe('group_service')
  // A list that one can read: none holds a third of all.
  expect(Math.max(...groups.map(({ kinds }) => kinds.length))).toBeLessThan(models.length / 3)
})

it('a group without any kind is left out', () => {
  expect(inGroups([{ name: 'helpdesk.ticket' }]).map(({ group }) => group)).toEqual(['group_helpdesk'])
})

it('no two kinds of records have the same name', () => {
  const labels = models.map(({ label }) => label)
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
})
