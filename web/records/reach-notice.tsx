import { Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Domain } from '../data/client.ts'
import { listQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { HOURS } from './hours-changes.ts'
import { useNumbers } from './numbers-of.ts'
import { answerOf, type Lost, opensAtAllHours } from './reach.ts'
import classes from './records.module.css'
import { useExtensionName } from './use-extension-name.ts'

const NAMED_MAX = 20
/** What a number is answered by, by the model: the kind has the link of the same name. */
const ANSWERED_BY: Readonly<Record<string, string>> = {
  'connect.user': 'user',
  'connect.telco.callflow': 'callflow',
  'connect.telco.markup': 'markup',
  'connect.voiceai_agent': 'voiceai_agent',
}

/** Says whose callers are led elsewhere, before it is saved. */
export function ReachNotice({ lost }: { lost: readonly Lost[] }) {
  if (lost.length === 0) return null
  return (
    <div className={classes.reach} role="status">
      <LostLines lost={lost} />
    </div>
  )
}

function LostLines({ lost }: { lost: readonly Lost[] }) {
  return lost.map((each) => <LostLine key={`${each.says} ${each.who}`} lost={each} />)
}

function LostLine({ lost: { says, who, from, extension, to, isNowhere } }: { lost: Lost }) {
  const say = useWords('records')
  const reached = useExtensionName(extension, from)
  return (
    <p>
      <strong>{say(says, { who: phone(who), from: plain(reached), to: plain(to) })}</strong>
      {isNowhere ? ` ${say('unansweredDetail')}` : ''}
    </p>
  )
}

/** What a deletion takes from callers: the numbers that the record answers, and those that are open during its hours. */
export function ReachOfDeletion({ model, id, name }: { model: string; id: number; name: string }) {
  const link = ANSWERED_BY[model]
  const isHours = model === HOURS
  const domain: Domain = isHours ? [['business_hours', '=', id]] : [[link ?? 'id', '=', id]]
  const { data: numbers = [] } = useNumbers(domain, isHours || link !== undefined)
  const { data: extensions = [] } = useExtensions(model, id, link !== undefined)
  const answered = isHours ? numbers : numbers.filter((number) => answerOf(number)?.kind === link)
  const lost = answered.map(({ phone_number: number }): Lost => {
    const who = number ?? ''
    return { says: isHours ? 'hoursEnd' : 'lost', who, from: name, to: '', isNowhere: !isHours }
  })
  const short = extensions.map(({ number }): Lost => {
    return { says: 'lost', who: number ?? '', from: name, to: '', isNowhere: false }
  })
  return <LostLines lost={[...lost, ...short]} />
}

function useExtensions(model: string, id: number, isEnabled: boolean) {
  const domain: Domain = [
    ['model', '=', model],
    ['res_id', '=', id],
  ]
  return useQuery({
    ...listQuery('connect.telco.exten', { domain, fields: ['number'], limit: NAMED_MAX }),
    enabled: isEnabled,
    throwOnError: false,
  })
}

interface AskProps {
  lost: Lost | undefined
  onSave: () => unknown
  onClose: () => void
}

/** Asks before something is left without an answer, or open day and night. */
export function AskUnanswered({ lost, onSave, onClose }: AskProps) {
  const say = useWords('records')
  const who = phone(lost?.who ?? '')
  const isAlways = lost !== undefined && opensAtAllHours(lost.says)
  return (
    <Modal
      opened={lost !== undefined}
      onClose={onClose}
      title={say(isAlways ? 'alwaysQuestion' : 'unansweredQuestion', { who })}
      withCloseButton={false}
    >
      {lost === undefined ? null : <LostLines lost={[lost]} />}
      <Group mt={16} gap={8}>
        <Button color="danger" onClick={onSave}>
          {say(isAlways ? 'saveAlways' : 'saveUnanswered')}
        </Button>
        <Button variant="default" onClick={onClose} data-autofocus>
          {say('cancel')}
        </Button>
      </Group>
    </Modal>
  )
}
