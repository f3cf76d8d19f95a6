import { Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { GroupChoice } from './group-choice.tsx'
import { useGroups } from './group-words.ts'
import type { NewLink } from './link-once.tsx'
import { USERS } from './people.ts'
import classes from './settings.module.css'

/** What somebody is put in of whom nothing else is said. */
const USUAL_GROUP = 'connect.group_user'

interface Props {
  isOpen: boolean
  onClose: () => void
  onLink: (link: NewLink) => void
}

/** Name, login and groups of somebody new; the answer is a link for them. */
export function InviteForm({ isOpen, onClose, onLink }: Props) {
  const say = useWords('settings')
  return (
    <Modal opened={isOpen} onClose={onClose} title={say('invite')} closeButtonProps={{ 'aria-label': say('close') }}>
      {isOpen ? <InviteFields onClose={onClose} onLink={onLink} /> : null}
    </Modal>
  )
}

function InviteFields({ onClose, onLink }: Omit<Props, 'isOpen'>) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { data: known = [] } = useGroups()
  const usual = known.filter(({ external_id: key }) => key === USUAL_GROUP).map(({ id }) => id)
  const [chosen, setChosen] = useState<number[]>()
  const groups = chosen ?? usual
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    const given = new FormData(event.currentTarget)
    const name = String(given.get('name'))
    const extension = String(given.get('extension')) || null
    try {
      const made = await call(USERS, 'invite', {
        name,
        login: String(given.get('login')),
        group_ids: groups,
        extension,
      })
      onClose()
      onLink({ ...made, name })
      await queries.invalidateQueries({ queryKey: keysOf(USERS) })
      await queries.invalidateQueries({ queryKey: keysOf('res.users.invitation') })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Form className={classes.confirm} onSubmit={submit}>
      <TextInput name="name" label={say('name')} required withAsterisk={false} data-autofocus />
      <TextInput name="login" label={say('login')} required withAsterisk={false} autoComplete="off" />
      <TextInput name="extension" label={say('extension')} description={say('extensionSays')} autoComplete="off" />
      <GroupChoice value={groups} onChange={setChosen} />
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
      <Button type="submit">{say('makeLink')}</Button>
    </Form>
  )
}
