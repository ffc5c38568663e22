// Only the parts of Apache ECharts that are used.
import { CustomChart, LineChart } from "echarts/charts";
import { DataZoomComponent, GridComponent, MarkAreaComponent, MarkLineComponent, ToolboxComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, CustomChart, GridComponent, TooltipComponent, MarkLineComponent, MarkAreaComponent, DataZoomComponent,
  ToolboxComponent, SVGRenderer]);

export { init };
