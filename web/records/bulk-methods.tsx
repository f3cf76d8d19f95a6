import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName, type Domain } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { ownOf } from '../data/own-records.ts'
import { useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { Button } from '../design/press.tsx'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { methodsQuery } from './fields.ts'
import type { MethodInfo } from './method-arguments.ts'
import { MethodAnswer, useMethodAnswer } from './method-buttons.tsx'
import { MethodDialog } from './method-dialog.tsx'
import { isChanging, isForMany } from './record-rights.ts'

/** One method is done with so many records at once. */
const RECORDS_MAX = 1_000

/** What can be done with all chosen records at once: always after they were counted. */
export function BulkMethods({ model, domain }: { model: string; domain: Domain }) {
  const say = useWords('records')
  const { data: methods = {} } = useQuery(methodsQuery(model))
  const [asked, setAsked] = useState<{ name: string; method: MethodInfo }>()
  const { answer, done, forget } = useMethodAnswer(model)
  const me = useMe()
  // What changes records is done with those that one may change.
  const fitting = asked !== undefined && isChanging(asked.method) ? [...ownOf(me, model), ...domain] : domain
  const { data: ids } = useQuery(
    asks({
      queryKey: keyOf(model, 'chosen', fitting),
      enabled: asked !== undefined,
      staleTime: 0,
      queryFn: async () => (await callByName(model, 'search', { domain: fitting, limit: RECORDS_MAX })) as number[],
    }),
  )
  const able = Object.entries(methods).filter(([name, method]) => isForMany(name, method))
  return (
    <>
      {able.length === 0 ? null : (
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="subtle" size="compact-sm">
              {say('moreMethods')} ▾
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {able.map(([name, method]) => (
              <MenuItem key={name} onClick={() => setAsked({ name, method })}>
                {labelOf(method.label, `${model}.${name}`)} …
              </MenuItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === undefined ? null : (
        <MethodDialog
          model={model}
          {...asked}
          ids={ids}
          onClose={() => setAsked(undefined)}
          onDone={(told) => {
            setAsked(undefined)
            done(asked.method, told)
          }}
        />
      )}
      <MethodAnswer answer={answer} onClose={forget} />
    </>
  )
}
