import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './knowledge.module.css'
import { type Known, nameOf } from './knowledge-rows.ts'

const AGENT = 'connect.voiceai_agent'

interface Props {
  agent: number
  known: Known
  onClose: () => void
  onTakeOff: () => unknown
  onDelete: () => unknown
}

/** Asks before knowledge goes, and names the other agents that have it. */
export function KnowledgeRemoval({ agent, known, onClose, onTakeOff, onDelete }: Props) {
  const say = useWords('knowledge')
  const others = known.agents.filter((id) => id !== agent)
  const { data: names = [] } = useQuery({
    ...listQuery(AGENT, { domain: [['id', 'in', others]], fields: ['name'], order: 'name' }),
    enabled: others.length > 0,
  })
  const name = nameOf(known)
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('removeAsk', { name })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <p>
        {others.length === 0
          ? say('removeSays')
          : say('othersKnow', {
              count: others.length,
              names: names.map((each) => plain(each.name ?? '')).join(', '),
            })}
      </p>
      <div className={classes.actions}>
        {others.length === 0 ? null : (
          <Button onClick={onTakeOff} data-autofocus>
            {say('takeOff')}
          </Button>
        )}
        <Button color="danger" variant={others.length === 0 ? 'filled' : 'subtle'} onClick={onDelete}>
          {others.length === 0 ? say('delete') : say('deleteForAll')}
        </Button>
        <Button variant="default" data-autofocus={others.length === 0 || undefined} onClick={onClose}>
          {say('cancel')}
        </Button>
      </div>
    </Modal>
  )
}
