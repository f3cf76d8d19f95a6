import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { GROUP, useIsInOne } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { Button } from '../design/press.tsx'
import { OwnPhoneNote, useOwnPhone } from '../lines/own-phone.tsx'
import { useDial } from '../lines/use-dial.ts'
import { NewTicket } from '../records/new-ticket.tsx'
import { isWithheld, phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { numberOf } from './contact-number.ts'
import { MessageDialog } from './message-dialog.tsx'

interface Props {
  contact: {
    id: number
    name: string | null
    phone: string | null
    mobile: string | null
    phone_normalized: string | null
    mobile_normalized: string | null
  }
}

/** What one does with a contact. */
export function ContactActions({ contact }: Props) {
  const say = useWords('contacts')
  const navigate = useNavigate()
  const calls = useIsInOne(GROUP.connectUser, GROUP.connectAdmin)
  const helps = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  const [isWriting, setWriting] = useState<string>()
  const [isTicket, setTicket] = useState(false)
  const { id, name } = contact
  const { obstacle } = useOwnPhone()
  const numbers = [
    ...new Set(
      [numberOf(contact, 'phone'), numberOf(contact, 'mobile')].filter((each) => each !== '' && !isWithheld(each)),
    ),
  ]
  const [dial, isDialling] = useDial()
  return (
    <>
      {calls && numbers.length > 0 ? (
        <>
          {obstacle === undefined ? (
            <Choose label={say('call')} numbers={numbers} isBusy={isDialling} onChoose={(number) => dial(number, id)} />
          ) : (
            <OwnPhoneNote numbers={numbers} />
          )}
          <Choose label={say('message')} numbers={numbers} onChoose={setWriting} />
        </>
      ) : null}
      {helps ? (
        <Button variant="default" onClick={() => setTicket(true)}>
          {say('ticket')}
        </Button>
      ) : null}
      {calls ? (
        <Button
          variant="default"
          onClick={() =>
            void navigate({
              to: '/records/$model/$id',
              params: { model: 'calendar.event', id: 'new' },
              search: { attendee: id },
            })
          }
        >
          {say('meeting')}
        </Button>
      ) : null}
      {isTicket ? (
        <NewTicket
          place={`contact ${id}`}
          title={say('newTicketFor', { name: plain(name ?? '') })}
          partner={[id, name ?? '']}
          onClose={() => setTicket(false)}
          onMade={(ticket) => navigate({ to: '/tickets/$id', params: { id: String(ticket) } })}
        />
      ) : null}
      {isWriting === undefined ? null : (
        <MessageDialog number={isWriting} contact={id} onClose={() => setWriting(undefined)} />
      )}
    </>
  )
}

interface ChooseProps {
  label: string
  numbers: readonly string[]
  isBusy?: boolean
  onChoose: (number: string) => unknown
}

/** One number needs no question. */
function Choose({ label, numbers, isBusy = false, onChoose }: ChooseProps) {
  const [only, ...others] = numbers
  if (only !== undefined && others.length === 0) {
    return (
      <Button variant="default" loading={isBusy} onClick={() => onChoose(only)}>
        {label}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isBusy}>
          {label} ▾
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {numbers.map((number) => (
          <MenuItem key={number} onClick={() => onChoose(number)}>
            {phone(number)}
          </MenuItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
