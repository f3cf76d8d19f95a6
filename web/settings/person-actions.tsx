import { Menu, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { call, write } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { ActionIcon, Button } from '../design/press.tsx'
import { useTakeBack } from '../records/take-back.ts'
import { useWords } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { GroupChoice } from './group-choice.tsx'
import type { NewLink } from './link-once.tsx'
import { type Person, USERS } from './people.ts'
import { PhonesStay } from './phones-stay.tsx'
import classes from './settings.module.css'

interface Props {
  person: Person
  hasLink: boolean
  onLink: (link: NewLink) => void
}

/** What a manager does with somebody's account. */
export function PersonActions({ person, hasLink, onLink }: Props) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const [asking, setAsking] = useState<'deactivate' | 'groups'>()
  const { id, name } = person
  const takeBack = useTakeBack()
  const after = async (work: Promise<unknown>): Promise<void> => {
    await work.catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf(USERS) })
    await queries.invalidateQueries({ queryKey: keysOf('res.users.invitation') })
  }
  const reset = async (): Promise<void> => onLink({ ...(await call(USERS, 'reset_link', { ids: [id] })), name })
  const revoke = async (): Promise<void> => {
    await call(USERS, 'revoke', { ids: [id] })
    tellDone(say('revoked', { name }))
  }
  const save = (vals: Partial<Pick<Person, 'active' | 'group_ids'>>, told: string): Promise<void> => {
    setAsking(undefined)
    const before = { active: person.active, group_ids: person.group_ids }
    return after(
      write(USERS, [id], vals)
        .then(() => takeBack({ model: USERS, id, before, sent: vals }))
        .then((back) => tellDone(told, back)),
    )
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label={say('actions', { name })}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem onClick={() => setAsking('groups')}>{say('changeGroups')}</MenuItem>
          {person.active === true ? <MenuItem onClick={() => after(reset())}>{say('resetLink')}</MenuItem> : null}
          {hasLink ? <MenuItem onClick={() => after(revoke())}>{say('revoke')}</MenuItem> : null}
          {person.active === true ? (
            <MenuItem onClick={() => setAsking('deactivate')}>{say('deactivate')}</MenuItem>
          ) : (
            <MenuItem onClick={() => save({ active: true }, say('activated', { name }))}>{say('activate')}</MenuItem>
          )}
        </Menu.Dropdown>
      </Menu>
      <Ask
        isOpen={asking === 'deactivate'}
        question={say('deactivateAsk', { name })}
        says={say('deactivateSays')}
        verb={say('deactivate')}
        onClose={() => setAsking(undefined)}
        onYes={() => save({ active: false }, say('deactivated', { name }))}
      >
        {asking === 'deactivate' ? <PhonesStay user={id} /> : null}
      </Ask>
      <Modal
        opened={asking === 'groups'}
        onClose={() => setAsking(undefined)}
        title={say('groupsOf', { name })}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        {asking === 'groups' ? (
          <Groups person={person} onSave={(ids) => save({ group_ids: ids }, say('groupsSaved', { name }))} />
        ) : null}
      </Modal>
    </>
  )
}

function Groups({ person, onSave }: { person: Person; onSave: (ids: number[]) => unknown }) {
  const say = useWords('settings')
  const [groups, setGroups] = useState(person.group_ids)
  return (
    <div className={classes.confirm}>
      <GroupChoice value={groups} onChange={setGroups} />
      <Button onClick={() => onSave(groups)}>{say('save')}</Button>
    </div>
  )
}
