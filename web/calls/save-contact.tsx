import { Group, Modal, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { mayChangeCall } from '../data/own-records.ts'
import { mayDo, useMe } from '../data/session.ts'
import { lookupQuery, matchOf } from '../data/who-is.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { isWithheld, phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { PageCall } from './call-view.tsx'

const CONTACT = 'res.partner'
const NAME_CHARS_MAX = 500
/** Names and extensions of ours are no number of a contact. */
const OUTSIDE = /^\+\d{6,15}$/

/**
 * Makes a contact of the number outside, and the call theirs; for everybody who may do both, while the call has no contact. A
 * contact who was saved since is named instead.
 */
export function SaveContact({ call, number }: { call: PageCall; number: string }) {
  const say = useWords('calls')
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const isOfNobody = call.partner === null && OUTSIDE.test(number) && !isWithheld(number) && mayDo(me, CONTACT, 'r')
  const { data: found } = useQuery({ ...lookupQuery(number), enabled: isOfNobody })
  const known = matchOf(found)
  if (isOfNobody && known !== null) return <Link to={`/contacts/${known[0]}`}>{plain(known[1])}</Link>
  if (!isOfNobody || found === undefined || !mayDo(me, CONTACT, 'c') || !mayChangeCall(me, call)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {say('saveContact')}
      </Button>
      {isOpen ? <ContactName call={call.id} number={number} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ContactName({ call, number, onClose }: { call: number; number: string; onClose: () => void }) {
  const say = useWords('calls')
  const queries = useQueryClient()
  const [typed, setTyped] = useDraft<string>({ model: CONTACT, id: `call ${call}`, field: 'name' })
  const [problem, setProblem] = useProblem('')
  const name = typed ?? ''
  const save = async (): Promise<void> => {
    if (name.trim() === '') return
    try {
      await callByName(CONTACT, 'create', {
        vals_list: { name: name.trim(), phone: number },
        context: { connect_call_id: call },
      })
      setTyped(unlessChanged(name))
      onClose()
      await queries.invalidateQueries({ queryKey: keysOf(CONTACT) })
      await queries.invalidateQueries({ queryKey: keysOf('connect.call') })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={say('saveContactTitle', { number: phone(number) })} withCloseButton={false}>
      <Form onSubmit={save}>
        <TextInput
          data-autofocus
          label={say('contactName')}
          maxLength={NAME_CHARS_MAX}
          value={name}
          error={problem || undefined}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={name.trim() === ''}>
            {say('save')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}
