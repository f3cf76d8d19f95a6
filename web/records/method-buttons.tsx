import { Button, Group, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { helpOf, labelOf } from '../words/server-words.ts'
import { useWords } from '../words/words.ts'
import { type MethodInfo, methodsQuery } from './fields.ts'
import classes from './records.module.css'

interface Asked {
  name: string
  method: MethodInfo
}

/** What can be done with a record beside changing it: the methods of its model that need nothing else said. */
export function MethodButtons({ model, id }: { model: string; id: number }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const { data: methods = {} } = useQuery(methodsQuery(model))
  const [asked, setAsked] = useState<Asked>()
  const [running, setRunning] = useState<string>()
  const [answer, setAnswer] = useState<unknown>()
  const able = Object.entries(methods).filter(
    ([, { allowed, arguments: args }]) => allowed && (args.required ?? []).length === 0,
  )
  const labelFor = ({ name, method }: Asked) => labelOf(method.label, `${model}.${name}`)
  const questionOf = (each: Asked) =>
    each.method.confirm === undefined ? say('methodQuestion', { label: labelFor(each) }) : helpOf(each.method.confirm)
  const run = async ({ name, method }: Asked): Promise<void> => {
    setAsked(undefined)
    setRunning(name)
    try {
      const told = await callByName(model, name, { ids: [id] })
      if (typeof told === 'object' && told !== null) setAnswer(told)
      else tellDone(say('doneMethod', { label: labelFor({ name, method }) }))
      await queries.invalidateQueries({ queryKey: [model] })
    } catch (error) {
      tellRefusal(error)
    }
    setRunning(undefined)
  }
  return (
    <>
      {able.map(([name, method]) => (
        <Button
          key={name}
          variant="default"
          color={method.danger === true ? 'danger' : undefined}
          loading={running === name}
          disabled={running !== undefined}
          onClick={() =>
            method.confirm === undefined && method.danger !== true
              ? void run({ name, method })
              : setAsked({ name, method })
          }
        >
          {labelFor({ name, method })}
        </Button>
      ))}
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked === undefined ? '' : questionOf(asked)}
        withCloseButton={false}
      >
        <Group mt={16} gap={8}>
          <Button color={asked?.method.danger === true ? 'danger' : undefined} onClick={() => asked && void run(asked)}>
            {asked === undefined ? '' : labelFor(asked)}
          </Button>
          <Button variant="subtle" onClick={() => setAsked(undefined)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
      <Modal
        opened={answer !== undefined}
        onClose={() => setAnswer(undefined)}
        title={say('answered')}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        <pre className={classes.answer}>{JSON.stringify(answer, null, 2)}</pre>
      </Modal>
    </>
  )
}
