import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayChangeCall } from '../data/own-records.ts'
import { GROUP, useIsInOne, useMe } from '../data/session.ts'
import { Copyable } from '../design/copyable.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { beganAt } from '../lines/call-rows.ts'
import { DialButton } from '../lines/dial-button.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { isErased } from '../lines/party.tsx'
import { NewTicket } from '../records/new-ticket.tsx'
import { isWithheld, party, phone, plain, readInstant } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './call.module.css'
import type { PageCall } from './call-view.tsx'
import { useIsRecording } from './legs-of-call.ts'
import { LiveActions } from './live-actions.tsx'
import { SaveContact } from './save-contact.tsx'

const MS_PER_SECOND = 1_000

/** Who called whom and when, what came of it, and where one goes from here. */
export function CallHead({ call }: { call: PageCall }) {
  const say = useWords('calls')
  const other =
    (call.direction === 'outgoing' ? call.called : call.caller) ?? (call.direction === 'incoming' ? '' : '?')
  const ours = (call.direction === 'outgoing' ? call.caller : call.called) ?? '?'
  const isGone = isErased(call)
  const began = beganAt(call)
  const ends = [
    isGone ? <span key="other">{say('erasedPerson')}</span> : <OtherNumber key="other" number={other} />,
    <span key="ours" className="number">
      {phone(ours)}
    </span>,
  ]
  // The caller stands first.
  const [from, to] = call.direction === 'outgoing' ? ends.toReversed() : ends
  return (
    <>
      <PageHead title={titleOf(call, isGone ? say('erasedPerson') : party(other))}>
        <HeadActions call={call} other={other} />
      </PageHead>
      <div className={classes.head}>
        <p className={classes.outcome}>
          <Outcome call={call} /> <BeingRecorded call={call} />{' '}
          <span className="number">
            {formats.duration(secondsOf(call))}
            {call.wait_seconds === null || call.answered_at === null
              ? null
              : ` · ${say('waited', { time: formats.duration(call.wait_seconds) })}`}
          </span>
        </p>
        <p>
          <DirectionSign direction={call.direction} /> {from} → {to}
          {began === null ? null : (
            <>
              {' · '}
              <time dateTime={formats.exact(began)} title={formats.exact(began)}>
                {formats.time(began)}
              </time>
            </>
          )}
        </p>
      </div>
    </>
  )
}

/** Everybody who sees the call is told, whether a person started it or the call is recorded by itself. */
function BeingRecorded({ call }: { call: PageCall }) {
  const say = useWords('calls')
  return useIsRecording(call) ? <strong className={classes.recorded}>● {say('beingRecorded')}</strong> : null
}

function titleOf({ partner }: PageCall, other: string): string {
  return partner === null ? other : plain(partner[1])
}

/** To be copied, where there is one. */
function OtherNumber({ number }: { number: string }) {
  const say = useWords('calls')
  if (isWithheld(number)) return <span>{party(number)}</span>
  return <Copyable text={number} label={say('number')} shown={phone(number)} />
}

/** How long it was, or is until now. */
function secondsOf({ outcome, duration, started_at: began }: PageCall): number {
  if (outcome !== 'in_progress' || began === null) return duration ?? 0
  return Math.max(0, (Date.now() - readInstant(began).getTime()) / MS_PER_SECOND)
}

/** Where one goes from here; what one does while it goes on, or afterwards. */
function HeadActions({ call, other }: { call: PageCall; other: string }) {
  const say = useWords('calls')
  const isHelpdesk = useIsInOne(GROUP.helpdeskUser, GROUP.helpdeskManager)
  return (
    <>
      <Link to="/calls">{say('allCalls')}</Link>
      {call.outcome === 'in_progress' ? (
        <LiveActionsOfOwn call={call} />
      ) : (
        <DialButton
          number={other}
          contact={call.partner?.[0]}
          isAgain={call.direction === 'outgoing' || call.callback_done_at !== null}
        />
      )}
      <SaveContact call={call} number={other} />
      {call.ticket === null || !isHelpdesk ? null : (
        <Link to={`/tickets/${call.ticket[0]}`}>{`${say('ticket')} #${call.ticket[0]}`}</Link>
      )}
      {call.ticket === null && isHelpdesk ? <TicketOfOwn call={call} /> : null}
    </>
  )
}

/** A ticket about the call, for everybody who may say so of the call. */
function TicketOfOwn({ call }: { call: PageCall }) {
  const say = useWords('calls')
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (!mayChangeCall(useMe(), call)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {say('ticket')}
      </Button>
      {isOpen ? (
        <NewTicket
          place={`call ${call.id}`}
          partner={call.partner}
          call={call.id}
          onClose={() => setOpen(false)}
          onMade={(ticket) => navigate({ to: '/tickets/$id', params: { id: String(ticket) } })}
        />
      ) : null}
    </>
  )
}

function LiveActionsOfOwn({ call }: { call: PageCall }) {
  return mayChangeCall(useMe(), call) ? <LiveActions call={call} /> : null
}
