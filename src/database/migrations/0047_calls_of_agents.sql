ALTER TABLE "connect_call" ADD COLUMN "only_agent" boolean GENERATED ALWAYS AS ((voiceai_agent is not null or voiceai_conversation_id is not null)
    and caller_user is null and answered_user is null
    and coalesce(legs_outcome, 'agent') not in ('person', 'agent_person')
    and (coalesce(legs_outcome, 'agent') in ('agent', 'ours', 'in_progress') or conversation_seconds is not null)) STORED;
--> statement-breakpoint
CREATE INDEX "connect_call_only_agent_id_index" ON "connect_call" USING btree ("only_agent","id") WHERE coalesce(only_agent, false);