CREATE TABLE "connect_voiceai_agent_template_tools_rel" (
	"template_id" bigint NOT NULL,
	"tool_id" bigint NOT NULL,
	CONSTRAINT "connect_voiceai_agent_template_tools_rel_pkey" PRIMARY KEY("template_id","tool_id")
);

--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_template_tools_rel" ADD CONSTRAINT "connect_voiceai_agent_template_tools_rel_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "public"."connect_voiceai_agent_template"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "connect_voiceai_agent_template_tools_rel" ADD CONSTRAINT "connect_voiceai_agent_template_tools_rel_tool_id_fkey" FOREIGN KEY ("tool_id") REFERENCES "public"."connect_voiceai_agent_tool"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "connect_voiceai_agent_template_tools_rel_tool_id_index" ON "connect_voiceai_agent_template_tools_rel" USING btree ("tool_id");