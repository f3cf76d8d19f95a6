import { Autocomplete, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

export type HandOver = 'forward' | 'transfer'

const EXTENSIONS_MAX = 200
/** Between an extension and whose it is, as they are offered. */
const DASH = ' – '

/** Asks to whom the other party goes: forwarding follows the routing of any number, a transfer rings an extension at once. */
export function HandOverDialog({ id, kind, onClose }: { id: number; kind: HandOver; onClose: () => void }) {
  const say = useWords('calls')
  const own = useMe().phone?.extension
  const [target, setTarget] = useState('')
  const { data: extensions = [] } = useQuery(
    listQuery('connect.telco.exten', { fields: ['number', 'dst_name'], order: 'number', limit: EXTENSIONS_MAX }),
  )
  // "Take over" brings a call to one's own phone.
  const others = extensions.filter(({ number }) => number !== own)
  const number = target.split(DASH)[0]?.trim() ?? ''
  const [problem, setProblem] = useProblem('')
  const handOver = async (): Promise<void> => {
    if (number === '') return
    try {
      if (kind === 'forward') await call('connect.call', 'forward', { ids: [id], number })
      else await call('connect.call', 'transfer', { ids: [id], exten: number })
      tellDone(say('handedOver', { target }))
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say(kind === 'forward' ? 'forwardTitle' : 'transferTitle')}
      withCloseButton={false}
    >
      <Form onSubmit={handOver} noValidate>
        <Autocomplete
          label={say(kind === 'forward' ? 'forwardTo' : 'transferTo')}
          description={say(kind === 'forward' ? 'forwardDetail' : 'transferDetail')}
          data-autofocus
          openOnFocus={false}
          data={[...new Set(others.map(optionOf))]}
          value={target}
          onChange={setTarget}
          error={problem || undefined}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={number === ''}>
            {say(kind)}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}

function optionOf({ number, dst_name: name }: { number: string | null; dst_name: string | null }): string {
  return name === null || name === '' ? (number ?? '') : `${number}${DASH}${plain(name)}`
}
