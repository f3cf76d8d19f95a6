import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { unlink, write } from '../data/client.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { ActionIcon } from '../design/press.tsx'
import { useTakeBack } from '../records/take-back.ts'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { useWords } from '../words/words.ts'
import { type BoardStage, refreshTickets } from './board-data.ts'
import { NameDialog } from './name-dialog.tsx'

/** Between two stages there is room for others. */
const STEP = 10

/** What managers do with a stage where it stands. */
export function StageMenu({ stage, stages }: { stage: BoardStage; stages: readonly BoardStage[] }) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const [isNaming, setNaming] = useState(false)
  const after = (work: Promise<unknown>) => work.catch(tellRefusal).finally(() => refreshTickets(queries))
  const takeBack = useTakeBack()
  const put = async (vals: Partial<Pick<BoardStage, 'name' | 'fold'>>): Promise<void> => {
    const before = { name: stage.name, fold: stage.fold }
    await write('helpdesk.stage', [stage.id], vals)
    tellDone(
      say('saved', { field: say('stage') }),
      await takeBack({ model: 'helpdesk.stage', id: stage.id, before, sent: vals }),
    )
    await refreshTickets(queries)
  }
  const place = stages.findIndex(({ id }) => id === stage.id)
  const shift = (by: -1 | 1) => {
    const order = stages.filter(({ id }) => id !== stage.id).toSpliced(place + by, 0, stage)
    after(Promise.all(order.map(({ id }, at) => write('helpdesk.stage', [id], { sequence: (at + 1) * STEP }))))
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size="sm" aria-label={say('stageMenu', { name: plain(stageName(stage.name)) })}>
            <Settings2 size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem onClick={() => setNaming(true)}>{say('rename')}</MenuItem>
          <MenuItem onClick={() => put({ fold: !stage.fold }).catch(tellRefusal)}>
            {stage.fold ? say('unfold') : say('foldIt')}
          </MenuItem>
          {place > 0 ? <MenuItem onClick={() => shift(-1)}>{say('earlier')}</MenuItem> : null}
          {place < stages.length - 1 ? <MenuItem onClick={() => shift(1)}>{say('later')}</MenuItem> : null}
          {stage.count === 0 ? (
            <MenuItem onClick={() => after(unlink('helpdesk.stage', [stage.id]))}>{say('removeStage')}</MenuItem>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {isNaming ? (
        <NameDialog
          title={say('rename')}
          name={stage.name}
          onClose={() => setNaming(false)}
          onSave={(name) => put({ name })}
        />
      ) : null}
    </>
  )
}
