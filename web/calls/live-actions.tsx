import { Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { mayDo, useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { TakeOver } from '../lines/take-over.tsx'
import { useWords } from '../words/words.ts'
import { type HandOver, HandOverDialog } from './hand-over.tsx'
import { isTheirs, type LiveCall, useIsRecording, useLegs } from './legs-of-call.ts'

/** What is done with a call while it goes on; each waits until the phone provider has done it. */
export function LiveActions({ call }: { call: LiveCall }) {
  const say = useWords('calls')
  const me = useMe()
  const [kind, setKind] = useState<HandOver>()
  const { id } = call
  const isIn = useLegs(id).some((leg) => isTheirs(leg, me.id))
  if (!mayDo(me, 'connect.call', 'w')) return null
  return (
    <>
      {isIn ? null : <TakeOver id={id} />}
      <Button variant="default" onClick={() => setKind('forward')}>
        {say('forward')}
      </Button>
      <Button variant="default" onClick={() => setKind('transfer')}>
        {say('transfer')}
      </Button>
      {isRingingOut(call) ? null : <Record call={call} />}
      <HangUp id={id} />
      {kind === undefined ? null : <HandOverDialog id={id} kind={kind} onClose={() => setKind(undefined)} />}
    </>
  )
}

/** The provider records nobody who has not answered yet. */
function isRingingOut({ direction, answered_at: answered }: LiveCall): boolean {
  return direction === 'outgoing' && answered === null
}

/** Starts the recording, or stops it. */
function Record({ call: live }: { call: LiveCall }) {
  const say = useWords('calls')
  const isOn = useIsRecording(live)
  const record = () =>
    call('connect.call', isOn ? 'stop_recording' : 'start_recording', { ids: [live.id] }).then(
      () => tellDone(say(isOn ? 'recordingStopped' : 'recordingStarted')),
      tellRefusal,
    )
  return (
    <Button variant="default" aria-pressed={isOn} onClick={record}>
      {isOn ? `■ ${say('stopRecord')}` : `● ${say('record')}`}
    </Button>
  )
}

/** Asks first: nothing brings the caller back. */
function HangUp({ id }: { id: number }) {
  const say = useWords('calls')
  const [isAsked, setAsked] = useState(false)
  const hangUp = () =>
    call('connect.call', 'hang_up', { ids: [id] }).then(() => {
      tellDone(say('hungUp'))
      setAsked(false)
    }, tellRefusal)
  return (
    <>
      <Button color="danger" variant="outline" onClick={() => setAsked(true)}>
        {say('hangUp')}
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={say('hangUpQuestion')} withCloseButton={false}>
        <p>{say('hangUpDetail')}</p>
        <Group mt={16} gap={8}>
          <Button color="danger" onClick={hangUp}>
            {say('hangUp')}
          </Button>
          <Button variant="subtle" data-autofocus onClick={() => setAsked(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
