import { Link, useParams } from '@tanstack/react-router'
import { PageHead } from '../design/page-head.tsx'
import { MadeForFormPlace } from '../records/made-for-form.ts'
import { Remarks } from '../records/remarks.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { Field } from './agent-field.tsx'
import { AgentState, NotSynced } from './agent-state.tsx'
import classes from './agents.module.css'
import { DraftBar } from './draft-bar.tsx'
import { Greetings } from './greetings.tsx'
import { KnowledgePart } from './knowledge-part.tsx'
import { LastCalls } from './last-calls.tsx'
import { MorePart } from './more-part.tsx'
import { PromptVersions } from './prompt-versions.tsx'
import { TalkPart } from './talk-part.tsx'
import { ToolsPart } from './tools-part.tsx'
import { TransfersPart } from './transfers-part.tsx'
import { AGENT, type AgentView, useAgent } from './use-agent.ts'
import { VoicePart } from './voice-part.tsx'

/** One voice agent: what it says and does, its draft and versions, and its last conversations. */
export function AgentPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <Agent key={id} id={Number(id)} />
}

function Agent({ id }: { id: number }) {
  const say = useWords('agents')
  const agent = useAgent(id)
  const name = plain(String(agent.shown.name ?? ''))
  return (
    <>
      <div className={classes.top}>
        <PageHead title={name}>
          <Link to="/agents">{say('title')}</Link>
          <AgentState agent={stateOf(agent)} isDrafted={agent.draft !== undefined} />
          <Link to="/records/$model/$id" params={{ model: AGENT, id: String(id) }}>
            {say('allFields')}
          </Link>
        </PageHead>
        <DraftBar agent={agent} />
      </div>
      <div className={classes.page}>
        <div className={classes.main}>
          <MadeForFormPlace value={agent.noting}>
            <NotSynced agent={stateOf(agent)} />
            <Remarks remarks={agent.row.remarks} />
            <section className={classes.card} aria-label={say('prompt')}>
              <Field agent={agent} name="prompt" />
              <PromptVersions agent={agent} />
            </section>
            <Greetings agent={agent} />
            <VoicePart agent={agent} />
            <KnowledgePart agent={id} mayWrite={agent.mayWrite} />
            <ToolsPart agent={agent} />
            <TransfersPart agent={agent} />
            <MorePart agent={agent} />
          </MadeForFormPlace>
        </div>
        <aside className={classes.aside}>
          <TalkPart agent={agent} />
          <LastCalls id={id} />
        </aside>
      </div>
    </>
  )
}

function stateOf({ row }: AgentView) {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { synced: row.synced === true, sync_error: text(row.sync_error), agent_uid: text(row.agent_uid) }
}
